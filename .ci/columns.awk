# Lines of more than 100 columns, a tab being eight. Rows that tests give or expect stand whole.
# For LC_ALL=C.
{
	columns = 0
	rest = $0
	gsub(/[\200-\277]/, "", rest)	# what continues a character of UTF-8
	while ((tab = index(rest, "\t")) > 0) {
		columns += tab - 1
		columns += 8 - columns % 8
		rest = substr(rest, tab + 1)
	}
	columns += length(rest)
}
columns > 100 && !(FILENAME ~ /^tests\// && /\\n"[,;)]*$/) {
	print FILENAME ":" FNR ": " columns " columns"
	found = 1
}
END { exit found }
