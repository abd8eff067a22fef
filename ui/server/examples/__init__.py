"""Three small sites that ship with Forager, a folder of pages each, and questions to ask them."""
