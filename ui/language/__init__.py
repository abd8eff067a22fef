"""The texts of the web UI in each language, and how numbers and times are written there.

A catalogue is the file `de.json` or `zh.json`; English is in the code. To add a language, add its
file and its name to `LANGUAGES`: the tests then list every text that it lacks. What a graph's file
says, such as the names of nodes, parameters and routes, is the same in every language.
"""
