/** Attributes of the conventions for GraphQL. */
export const GRAPHQL_OPERATION_TYPE = 'graphql.operation.type';
export const GRAPHQL_OPERATION_NAME = 'graphql.operation.name';
export const GRAPHQL_DOCUMENT = 'graphql.document';
