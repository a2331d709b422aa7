/* SPDX-License-Identifier: MIT */
/*
 * field.h - what the library itself needs to know of a field besides slabstat_field_info().
 */
#ifndef SLABSTAT_FIELD_H
#define SLABSTAT_FIELD_H

#include <slab/slabstat.h>

/* How the sysfs attribute is written; see fields.def. */
enum field_form { FORM_NONE, FORM_PLAIN, FORM_NODE, FORM_CPU, FORM_CPUSLABS };

enum field_form field_form(enum slabstat_field field);

/*
 * field_why - one clause that says why a kernel does not have the sysfs attribute of a field
 * (kernel 0: unknown which); constant text, NULL where nothing is known.
 */
const char *field_why(enum slabstat_field field, unsigned kernel);

/* field_input - the i-th field that a computed field is computed from, or -1 past the last. */
int field_input(enum slabstat_field field, size_t i);

/* field_add_inputs - add to a set what its computed fields are computed from. */
void field_add_inputs(struct slabstat_fieldset *set);

/* field_only_slab - whether only /proc/slabinfo of the SLAB allocator has this field. */
bool field_only_slab(enum slabstat_field field);

#endif
