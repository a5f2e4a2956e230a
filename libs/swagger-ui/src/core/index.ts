export { swaggerUi } from '../http/swagger-ui.js';
export type { Next, RequestHandler, SwaggerUiHandlerOptions } from '../http/swagger-ui.js';
export type { EmbeddedSpec, LinkedSpec, Spec, SpecDocument, SwaggerUiOptions } from '../options.js';
