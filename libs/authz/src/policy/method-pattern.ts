/** Whether `/pkg.Service/Method`, or `/pkg.Service/*` for a whole service, means a method. */
export function coversMethod(pattern: string, fullName: string): boolean {
  return pattern.endsWith('/*') ? fullName.startsWith(pattern.slice(0, -1)) : fullName === pattern;
}

/** Whether `Class.method`, or `Class.*` for all that a class has, means a handler. */
export function coversHandler(pattern: string, name: string): boolean {
  return pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
