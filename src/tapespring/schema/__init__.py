"""What a user writes: units, quantities, functions, files and the errors that answer mistakes. Imports no solver."""
