"""The addresses and anchors of haproxy-dconv's pages."""
