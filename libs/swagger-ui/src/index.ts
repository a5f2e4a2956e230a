export { SwaggerUiModule } from './nest/swagger-ui.module.js';
export type { SwaggerUiModuleOptions } from './nest/swagger-ui.module.js';

export { swaggerUi } from './http/swagger-ui.js';
export { SwaggerUiOptionsError } from './errors.js';
export { SWAGGER_UI_OPTIONS } from './nest/docs-controller.js';
export type { SwaggerUiHandler, SwaggerUiHandlerOptions } from './http/swagger-ui.js';
export type { EmbeddedSpec, LinkedSpec, Spec, SpecDocument, SwaggerUiOptions } from './options.js';
