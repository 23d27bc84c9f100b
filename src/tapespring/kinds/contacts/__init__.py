"""Contacts between surfaces of bodies."""
