"""Charts of a table's lines, of the candidates behind them, and of what an emphasis does; called by `page`."""
