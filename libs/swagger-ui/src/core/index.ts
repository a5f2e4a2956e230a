export { swaggerUi } from '../http/swagger-ui.js';
export { SwaggerUiOptionsError } from '../errors.js';
export type { SwaggerUiHandler, SwaggerUiHandlerOptions } from '../http/swagger-ui.js';
export type { EmbeddedSpec, LinkedSpec, Spec, SpecDocument, SwaggerUiOptions } from '../options.js';
