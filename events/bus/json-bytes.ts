// Made once: making one takes longer than what it does to a message.
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A value as it travels over the bus. */
export const toBytes = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

/** @throws {SyntaxError} for bytes that are no JSON. */
export const fromBytes = (data: Uint8Array): unknown => JSON.parse(decoder.decode(data));
