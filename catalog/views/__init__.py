"""Pages of the catalog: public ones to browse, and worklists for those who keep it."""
