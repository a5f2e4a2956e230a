/** The method that a span is of, as `Class.method`; of the conventions for source code. */
export const ATTR_CODE_FUNCTION_NAME = 'code.function.name';
