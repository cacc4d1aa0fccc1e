/** A JSON Schema in an OpenAPI document. */
export interface Schema {
  readonly [keyword: string]: unknown;
}
type Components = Readonly<Record<string, Schema>>;

/**
 * Schemas in a form that generators of clients can use. Nullable scalars are `type: [X, null]` and other nullable
 * schemas are `oneOf` with null, because NSwag makes empty classes of `anyOf`. Each object inside another is a
 * component of its own, named after its `title` or else its path, because inline ones get names like `System`, which do
 * not compile. Requests have no `default`, which some clients would send; replies allow fields that are added later.
 *
 * @throws {Error} where two different objects would have one name: give one of them a `title`
 */
export function forClients(components: Components, io: 'input' | 'output'): Components {
  const all: Record<string, Schema> = {};
  const nameOf = new Map<string, string>(
    Object.entries(components).map(([name, schema]) => [shapeOf(clean(schema, io)), name]),
  );

  /** The schema for use inside another one. Objects are moved out and referenced. */
  function place(schema: Schema, name: string): Schema {
    if (schema['type'] !== 'object' || schema['properties'] === undefined) return inside(schema, name);
    const { title, description, ...object } = schema;
    const here = description === undefined ? {} : { description };
    const shape = shapeOf(object);
    const known = nameOf.get(shape);
    if (known !== undefined) return { ...here, ...refTo(known) };
    const own = typeof title === 'string' ? title : name;
    if (Object.hasOwn(components, own) || Object.hasOwn(all, own)) {
      throw new Error(
        `Two different objects of the document would be called ${own}: give one of them a title`,
      );
    }
    nameOf.set(shape, own);
    all[own] = {};
    all[own] = inside(object, own);
    return { ...here, ...refTo(own) };
  }

  function inside(schema: Schema, name: string): Schema {
    return mapParts(schema, (part, keyword, key) => {
      if (keyword === 'properties') return place(part, `${name}${pascal(key)}`);
      if (keyword !== 'oneOf' && keyword !== 'anyOf') return place(part, singular(name));
      return place(part, `${name}${variantOf(part)}`);
    });
  }

  for (const [name, schema] of Object.entries(components)) all[name] = inside(clean(schema, io), name);
  return all;
}

export const refTo = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** The clean form of a schema that stands by itself, like that of a parameter. */
export function clean(schema: Schema, io: 'input' | 'output'): Schema {
  const { default: _default, anyOf, ...rest } = mapParts(schema, (part) => clean(part, io));
  if (io === 'output' && rest['additionalProperties'] === false) delete rest['additionalProperties'];
  if (!Array.isArray(anyOf)) return rest;
  const members = anyOf as Schema[];
  const others = members.filter(({ type }) => type !== 'null');
  if (others.length === members.length) return { ...rest, anyOf };
  const [only] = others;
  // The schema of any JSON value.
  if (others.length > 1 && others.some(({ type }) => type === 'array')) return rest;
  if (others.length > 1 || !isScalar(only!)) return { ...rest, oneOf: members };
  const { type, enum: values, ...limits } = only!;
  return {
    ...limits,
    ...rest,
    type: [type, 'null'],
    ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}),
  };
}

function isScalar({ type, const: only }: Schema): boolean {
  return only === undefined && ['string', 'number', 'integer', 'boolean'].includes(String(type));
}

/** The shape of an object, by which two objects are compared. Descriptions do not count. */
const shapeOf = ({ description: _d, examples: _e, title: _t, ...shape }: Schema): string =>
  JSON.stringify(shape);

/** Maps each schema inside a schema. */
function mapParts(
  schema: Schema,
  change: (part: Schema, keyword: string, key: string) => Schema,
): Record<string, unknown> {
  const changed = ([keyword, value]: [string, unknown]): [string, unknown] => {
    if (keyword === 'properties') {
      const parts = Object.entries(value as Components);
      return [keyword, Object.fromEntries(parts.map(([key, part]) => [key, change(part, keyword, key)]))];
    }
    if (keyword === 'oneOf' || keyword === 'anyOf')
      return [keyword, (value as Schema[]).map((part, index) => change(part, keyword, `${index}`))];
    const isPart = keyword === 'items' || keyword === 'additionalProperties';
    return [keyword, isPart && typeof value === 'object' ? change(value as Schema, keyword, '') : value];
  };
  return Object.fromEntries(Object.entries(schema).map(changed));
}

/** The name of one of several variants, after the value that distinguishes it, like `Ping` for an action. */
function variantOf({ properties = {} }: Schema): string {
  const word = Object.values(properties as Components).find((field) => typeof field['const'] === 'string');
  return word === undefined ? '' : pascal(String(word['const']));
}

const pascal = (key: string): string =>
  key
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');

/** The singular of a name: an element of `Sources` is a `Source`. */
function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return name.endsWith('s') && !name.endsWith('ss') ? name.slice(0, -1) : `${name}Item`;
}
