"""The pages of a site: `Page` values that hold all that a theme shows.

    page          the values that go in (releases, `SiteInfo`) and come out (`Page`)
    split         a release into pages: homes, sections, indexes, the document on one page
    sidebar       what is beside the text of a section: the tree, the list of its entries
    footer        what is below it: the place in the source, an address for reports
    single_page   the whole document on one page, with the anchors of haproxy-dconv
    indexes       names from A to Z and by kind, the ways into a document
    overview      the pages above the documents: of a site, a product, a release
    versions      each page and entry in the other releases
    latest_and_missing
                  pages of addresses that outlive a release, the page for what is missing
    addresses     the page of every anchor, and links to it
"""
