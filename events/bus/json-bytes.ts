// Shared, because creating an encoder takes longer than encoding a message.
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The bytes of a value on the bus. */
export const toBytes = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

/**
 * The value in a message.
 *
 * @throws {SyntaxError} for bytes that are no JSON.
 */
export const fromBytes = (data: Uint8Array): unknown => JSON.parse(decoder.decode(data));
