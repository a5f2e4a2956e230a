/** A header block that cannot be decoded: no later one of the connection can be (RFC 9113, 4.3). */
export class CompressionError extends Error {}
