"""Forces: loads, springs, dampers, motors and bushings."""
