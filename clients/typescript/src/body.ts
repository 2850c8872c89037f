// The body of a reply as text, of a bounded length whatever the server sends: a compressed one may be a thousand times as long.

/** The server sent more than a reply of a galaxyd can have. */
export class ReplyTooLong extends Error {
  override readonly name = 'ReplyTooLong';

  constructor(bytesMax: number) {
    super(`the reply has more than ${bytesMax} bytes`);
  }
}

/** Reads a body to its end. @throws ReplyTooLong, and what fetch() throws if the connection is lost */
export async function bodyText(response: Response, bytesMax: number): Promise<string> {
  const { body, headers } = response;
  if (body === null) return '';
  const lengthBytes = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  // No reply is longer than its length says, unless it is compressed.
  if (lengthBytes <= bytesMax && !headers.has('content-encoding')) return await response.text();
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let byteCount = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    byteCount += value.length;
    if (byteCount > bytesMax) {
      await reader.cancel();
      throw new ReplyTooLong(bytesMax);
    }
    text += decoder.decode(value, { stream: true });
  }
}
