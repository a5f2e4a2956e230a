export { ExceptionsModule } from './exceptions.module.js';
export { ProblemDetailsModule } from './problem-details.module.js';
export { httpExceptionOf, statusErrorIn } from './http-exception-of.js';

export { ApixExceptionFilter } from './exception.filter.js';
export { answerOf } from './answer.js';
export { grpcArguments } from './grpc-arguments.js';
export { onConnectedApart } from './patches/hybrid-apps.js';
export { grpcError } from './grpc-error.js';
export { hasControllerMethod, methodsOf } from './controller-methods.js';
export { enterApp, watchAppServer } from './enter-app.js';
export {
  handlerName,
  handlerReached,
  isInfrastructure,
  noteReached,
  noteRoutes,
  rawRequestOf,
} from './note-routes.js';
export { nestRoutes, routeHandlerOf } from './nest-routes.js';
export type { ApartListener } from './patches/hybrid-apps.js';
export type { NestRoute, RouteHandler } from './nest-routes.js';
export type { ReachedRequest } from './note-routes.js';
export type { ReachingRequest, RoutedApp } from './reached-route.js';
export type { Answer } from './answer.js';
export type { GrpcArguments } from './grpc-arguments.js';
export type { GrpcError } from './grpc-error.js';
