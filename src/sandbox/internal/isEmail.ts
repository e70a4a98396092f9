/** Whether `text` looks like one e-mail address: enough to catch a slip, linear in its length. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@,;<>"]+@[^\s@.,;<>"]+(?:\.[^\s@.,;<>"]+)+$/.test(text);
