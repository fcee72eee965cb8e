import { WireReader } from '../../api/bytes/wire-reader.ts';
import { WireWriter } from '../../api/bytes/wire-writer.ts';

// Packets of konnectivity's ProxyService. Field numbers are from its `client.proto`.

/** Types of packets. */
const types = { dialRequest: 0, dialResponse: 1, closeRequest: 2, closeResponse: 3, data: 4, closeDial: 5 } as const;
type PacketType = keyof typeof types;

/** The field of a packet that its content is in, and the fields of the content. */
const contents = {
  dialRequest: { number: 2 },
  dialResponse: { number: 3, error: 1, connectId: 2, random: 3 },
  closeRequest: { number: 5 },
  closeResponse: { number: 6, error: 1, connectId: 2 },
  data: { number: 4, connectId: 1, error: 2, data: 3 },
  closeDial: { number: 7, random: 1 },
} as const satisfies { readonly [type in PacketType]: ContentFields };

interface ContentFields {
  readonly number: number;
  readonly error?: number;
  readonly connectId?: number;
  readonly random?: number;
  readonly data?: number;
}

/** A packet of the proxy. */
export interface Packet {
  readonly type: PacketType;
  /** The id of a connection. */
  readonly connectId: bigint;
  /** The id of a request for a connection. */
  readonly random: bigint;
  /** Empty: there is none. */
  readonly error: string;
  readonly data: Uint8Array;
}

/** Asks for a connection to an address. */
export function dialRequest(address: string, random: bigint): Buffer {
  const content = new WireWriter().bytes(1, Buffer.from('tcp')).bytes(2, Buffer.from(address)).bigint(3, random);
  return packet('dialRequest', content);
}

/** Takes the request back. */
export function closeDial(random: bigint): Buffer {
  return packet('closeDial', new WireWriter().bigint(1, random));
}

export function closeRequest(connectId: bigint): Buffer {
  return packet('closeRequest', new WireWriter().bigint(1, connectId));
}

export function dataPacket(connectId: bigint, data: Uint8Array): Buffer {
  return packet('data', new WireWriter().bigint(1, connectId).bytes(3, data));
}

function packet(type: PacketType, content: WireWriter): Buffer {
  return new WireWriter().integer(1, types[type]).message(contents[type].number, content).finish();
}

const names = Object.keys(types) as readonly PacketType[]; // of the table above

/** Undefined for packets that only agents need. Throws a ProtobufError. */
export function readPacket(bytes: Uint8Array): Packet | undefined {
  let type: number = types.dialRequest;
  const parts = new Map<number, Uint8Array>();
  const reader = new WireReader(bytes);
  while (!reader.done) {
    const { number, wireType } = reader.tag();
    if (number === 1) type = reader.integer();
    else if (wireType === 2) parts.set(number, reader.bytes());
    else reader.skip(wireType);
  }
  const name = names.find((each) => types[each] === type);
  return name === undefined ? undefined : { type: name, ...readContent(parts, contents[name]) };
}

const nothing = new Uint8Array();

function readContent(parts: ReadonlyMap<number, Uint8Array>, fields: ContentFields): Omit<Packet, 'type'> {
  const content = { connectId: 0n, random: 0n, error: '', data: nothing as Uint8Array };
  const reader = new WireReader(parts.get(fields.number) ?? nothing);
  while (!reader.done) {
    const { number, wireType } = reader.tag();
    if (number === fields.connectId) content.connectId = reader.varint();
    else if (number === fields.random) content.random = reader.varint();
    else if (number === fields.error) content.error = Buffer.from(reader.bytes()).toString();
    else if (number === fields.data) content.data = reader.bytes();
    else reader.skip(wireType);
  }
  return content;
}
