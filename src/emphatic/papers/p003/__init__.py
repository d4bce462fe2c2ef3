"""Paper 003: multi-view forests of tree-structured RBF networks."""
