/** Under which scope this package records. */
export const SCOPE_NAME = '@apix/otel';
