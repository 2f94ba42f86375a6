"""Views of lido's pools and handles for gdb; lido_gdb.py loads them."""
