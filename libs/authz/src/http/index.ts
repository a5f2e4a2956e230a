export { expressAuthz, nodeAuthz } from './node.js';
export { fastifyAuthz } from './fastify.js';
export { honoAuthz } from './hono.js';
export { subjectOf } from './subject-of.js';
export type { HttpPolicy, HttpTarget, RpcOfRequest } from './entry-rule.js';
export type { HttpAuthzOptions } from './refusal-answer.js';

export type { NodeMiddleware, NodeRequest, NodeResponse } from './node.js';
export type { FastifyAuthzHook, FastifyReplyPart, FastifyRequestPart } from './fastify.js';
export type { HonoContextPart, HonoMiddleware } from './hono.js';
