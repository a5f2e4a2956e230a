/** The former name of `@apix/otel`, for apps that import it. */
export * from '@apix/otel';
