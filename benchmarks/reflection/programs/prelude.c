/* Before every check of a C scenario: memory that can be made to run out, and random numbers that can be chosen. */
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(holds) do { if (!(holds)) exit(1); } while (0)

int no_memory = 0;
int fixed_random = -1;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
int __real_rand(void);
long __real_random(void);

void *__wrap_malloc(size_t size) { return no_memory ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return no_memory ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *old, size_t size) { return no_memory ? NULL : __real_realloc(old, size); }
char *__wrap_strdup(const char *text) { return no_memory ? NULL : __real_strdup(text); }
int __wrap_rand(void) { return fixed_random < 0 ? __real_rand() : fixed_random; }
long __wrap_random(void) { return fixed_random < 0 ? __real_random() : fixed_random; }
