"""What a session shows: report, events, trace, turns, site map, exports."""
