import type { RampMessages } from './RampMessages.js';

/** Japanese. */
export const messages: RampMessages = {
  buy: '暗号資産を購入',
  opening: '決済画面を開いています…',
  failed: '決済画面を開けませんでした。',
  offline: 'ショップに接続できません。接続を確認してください。',
  retry: 'もう一度試す',
  blocked: 'ウィンドウがブロックされました。',
  openHere: 'ここから決済画面を開く',
  checkout: '決済',
  close: '決済画面を閉じる',
  newWindow: '新しいウィンドウで開く',
  loading: '決済画面を読み込んでいます…',
  slow: '決済画面が表示されません。新しいウィンドウでは開けることがあります。',
};
