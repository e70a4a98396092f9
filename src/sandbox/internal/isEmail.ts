/** Returns whether `text` looks like an e-mail address. It catches typing errors, in linear time. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@,;<>"]+@[^\s@.,;<>"]+(?:\.[^\s@.,;<>"]+)+$/.test(text);
