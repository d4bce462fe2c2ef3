"""Where fits run: this process, several processes, a Dask cluster; with or without limits."""
