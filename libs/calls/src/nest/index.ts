export { ExceptionsModule } from './exceptions.module.js';
export { ProblemDetailsModule } from './problem-details.module.js';
export { httpExceptionOf, statusErrorIn } from './http-exception-of.js';

export { ApixExceptionFilter } from './exception.filter.js';
export { answerOf } from './answer.js';
export { enterApp, watchAppServer } from './enter-app.js';
export { isInfrastructure, noteReached, noteRoutes } from './reached-route.js';
export { routeHandlerOf } from './nest-routes.js';
export type { RoutedApp, RouteHandler } from './nest-routes.js';
export type { ReachedRequest, ReachingRequest } from './reached-route.js';
export type { Answer } from './answer.js';
