"""The proof that nothing is lost, and the check for dead links."""
