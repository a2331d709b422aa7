/* SPDX-License-Identifier: MIT */
/*
 * peek.h - words that are written under a lock and read without it.
 *
 * A reader gets some value that the word had: enough for statistics, and for a look whether taking
 * the lock is worth while. poke is for the lock's holder, bump for words that have no lock.
 */
#ifndef SLABKIT_SLAB_PEEK_H
#define SLABKIT_SLAB_PEEK_H

#define peek(word)	  __atomic_load_n(&(word), __ATOMIC_RELAXED)
#define poke(word, value) __atomic_store_n(&(word), (value), __ATOMIC_RELAXED)
#define poke_add(word, n) poke(word, (word) + (n))
#define poke_sub(word, n) poke(word, (word) - (n))
#define bump(word, n)	  ((void)__atomic_fetch_add(&(word), (n), __ATOMIC_RELAXED))

#endif
