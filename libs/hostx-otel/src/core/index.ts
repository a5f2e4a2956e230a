/** The former name of `@apix/otel/core`. */
export * from '@apix/otel/core';
