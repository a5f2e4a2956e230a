/** Why: docs/decisions/0240 */
export { Metadata, status } from '@grpc/grpc-js';
