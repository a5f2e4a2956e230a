/** The options of `SwaggerUiModule.forRoot`, apart from `path`. */
export const SWAGGER_UI_OPTIONS = Symbol.for('apix.swagger-ui.Options');
