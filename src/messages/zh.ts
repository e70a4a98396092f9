import type { RampMessages } from './RampMessages.js';

/** Chinese. */
export const messages: RampMessages = {
  buy: '购买加密货币',
  opening: '正在打开付款页面…',
  failed: '无法打开付款页面。',
  offline: '无法连接商店。请检查网络连接。',
  retry: '重试',
  blocked: '窗口被拦截。',
  openHere: '在此打开付款页面。',
  checkout: '付款',
  close: '关闭付款页面',
  newWindow: '在新窗口中打开',
  loading: '正在加载付款页面…',
  slow: '付款页面没有出现。可以尝试在新窗口中打开。',
};
