/** Why: docs/decisions/0240 */
export { Client, Metadata, Server, ServerCredentials, credentials } from '@grpc/grpc-js';
