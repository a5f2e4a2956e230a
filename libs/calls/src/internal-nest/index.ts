export { answerOf } from '../nest/answer.js';
export type { Answer } from '../nest/answer.js';
export { hasControllerMethod, methodsOf } from '../nest/controller-methods.js';
export { enterApp, watchAppServer } from '../nest/enter-app.js';
export { grpcArguments } from '../nest/grpc-arguments.js';
export type { GrpcArguments } from '../nest/grpc-arguments.js';
export { grpcError } from '../nest/grpc-error.js';
export type { GrpcError } from '../nest/grpc-error.js';
export type { AppMount, MountedHandler } from '../nest/mount/app-mount.js';
export { layersOf } from '../nest/mount/express-mount.js';
export { mountFor } from '../nest/mount/mount-for.js';
export { nestRoutes, routeHandlerOf } from '../nest/nest-routes.js';
export type { NestRoute, RouteHandler } from '../nest/nest-routes.js';
export {
  handlerName,
  handlerReached,
  rawRequestOf,
  isInfrastructure,
  noteReached,
  noteRoutes,
} from '../nest/note-routes.js';
export type { ReachedRequest } from '../nest/note-routes.js';
export { onConnectedApart } from '../nest/patches/hybrid-apps.js';
export type { ApartListener } from '../nest/patches/hybrid-apps.js';
export type { ReachingRequest, RoutedApp } from '../nest/reached-route.js';
