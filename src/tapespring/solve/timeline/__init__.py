"""What laws of time do over a run, found before it begins: where they jump or bend, and how long steps may be."""
