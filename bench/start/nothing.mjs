// What measure.mjs imports before it begins.
export const nothing = null;
