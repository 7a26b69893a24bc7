"""Writers: the linked tree to HTML, pages, search data, docutils, dumps and inventories."""
