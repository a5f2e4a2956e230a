/** Why: docs/decisions/0240 */
export { GrpcMethod, GrpcStreamMethod, ServerGrpc } from '@nestjs/microservices';
export { GrpcMethodStreamingType } from '@nestjs/microservices/decorators/message-pattern.decorator.js';
export { RpcContextCreator } from '@nestjs/microservices/context/rpc-context-creator.js';
export { PATTERN_EXTRAS_METADATA } from '@nestjs/microservices/constants.js';
