"""Engines, which say where fits run: in this process, in several processes, on a Dask cluster; and limits of a fit.

The runner calls them; users choose one by `in_processes`, `on_dask` and `Limits` of `emphatic.study`.
"""
