export { SwaggerUiModule } from './nest/swagger-ui.module.js';
export type { SwaggerUiModuleOptions } from './nest/swagger-ui.module.js';

export { swaggerUi } from './http/swagger-ui.js';
export type { Next, RequestHandler, SwaggerUiHandlerOptions } from './http/swagger-ui.js';
export type { EmbeddedSpec, LinkedSpec, Spec, SpecDocument, SwaggerUiOptions } from './options.js';
