"""Themes: templates, style sheets, scripts, and what a site changes of them."""
