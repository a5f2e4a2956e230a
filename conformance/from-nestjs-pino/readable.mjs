const LEVELS = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };

/**
 * A line of nestjs-pino or of ours in the same words, without what differs by design: the event of a request
 * has the fields of `assign` here, and an error event without an error has a stack.
 */
export function readable(line) {
  return line['@mt'] === undefined ? ofPino(line) : ofOurs(line);
}

function ofPino({ level, msg, context, req, res, err, orderId, password, a, assigned, tenant }) {
  const base = { level: LEVELS[level] };
  if (res !== undefined) {
    return { ...base, request: `${req.method} ${req.url} ${res.statusCode}`, tenant };
  }
  const error = err?.message;
  return {
    ...base,
    text: msg,
    logger: context,
    error,
    hasStack: err && err.stack !== undefined,
    orderId,
    password,
    a,
    assigned,
    id: req?.id,
  };
}

function ofOurs(line) {
  const { level, message, logger, error, stack, Method, Path, status, RequestId } = line;
  const { orderId, password, a, assigned, tenant } = line;
  if (Method !== undefined) {
    return { level, request: `${Method} ${Path} ${status}`, tenant };
  }
  return {
    level,
    text: message,
    logger,
    error,
    hasStack: error && stack !== undefined,
    orderId,
    password,
    a,
    assigned,
    id: RequestId,
  };
}
