/**
 * The word list: phrases that need a second read, with what to write instead. Each is looked for in
 * comments, in texts of at least three words and in Markdown outside of code, across line breaks.
 */
export const unclearPhrases = [
  // Verbs that belong to people.
  [/\b(?:hears?|heard)\b/, 'receives, is called with'],
  [/\b(?:tells?|told|telling)\b/, 'reports, shows, returns'],
  [/\b(?:is|are|was|were|be|been|being) said\b/, 'name who reports it'],
  [/\b(?:says|said)\b/, 'returns, shows, describes, states'],
  [
    /\banswer(?:s|ed|ing)\b|\b(?:to|must|may|can|could|will|would|should|not|never|does|did) answer\b/,
    'returns, responds; response',
  ],
  [/\basks of\b/, 'requests'],
  [/\basks?\b(?! for confirmation)|\basked\b/, 'requests, calls, queries'],
  [/\b(?:whoever|whatever|whichever|wherever|whenever)\b/i, 'name the thing'],
  [/\bwho (?:waits|comes|knows|asks|reads|looks|pays|has|is)\b/, 'name the person or thing'],
  [/\b(?:stands?|stood)\b/, 'is'],
  [/\bbecomes? of\b/, 'name the result'],
  [/\blet(?:s|ting)? go\b/, 'releases, detaches'],
  [/\b(?:knows?|knew) (?:of|nothing)\b/, 'has'],
  [/\bnobody\b|\bno one\b|\banybody\b|\bsomebody\b|\beverybody\b/i, 'name the role'],
  [/\b(?:for|to|from|by|of|with|and|when|if|so that) who\b/, 'name the person or thing'],
  [/\bwhose it is\b|\ban own\b|\bNoted\b/, 'name the owner; a separate X'],
  // Negated nouns and empty subjects.
  [/\b(?:is|are|was|were|be) no (?!longer\b|more than\b|less than\b)/, 'is not, does not, without'],
  [/\bnothing (?:is|when|was|but|else|of|that|to|here|there|in)\b/i, 'name what does not happen'],
  [/\b(?:that|which) (?:is|are) none\b/, 'name what it lacks'],
  [/\bnot to be\b/, 'must not be, cannot be'],
  [/\bis had\b|\bare had\b/, 'exists'],
  [/\bthere is no\b|\bthere are no\b/i, 'has no, without'],
  // Idioms.
  [
    /\b(?:of|on) (?:its|their|his|her|our|your|one's) own\b|\bof (?:yours|theirs|ours)\b/,
    'its own X; separate',
  ],
  [/\bat it\b/, 'busy, running'],
  [/\bso (?:many|much|long|far|little|few)\b(?! as\b)/, 'give the number or its name'],
  [/\ball that\b/, 'everything, all X'],
  [/\bas (?:it|they) (?:is|are|stands?|was|were|comes?|came)\b/, 'unchanged'],
  [/\bby (?:itself|themselves)\b/, 'automatically; alone'],
  [
    /\b(?:comes?|came) (?:back to|with|from|to|first|last|in|after|before|again|once|twice|of|out)\b|\b(?:has|have|had) come\b/,
    'returns, includes, arrives',
  ],
  [
    /\b(?:goes|go|went|gone) (?:on|by|away|through|with|out|back|to|into|there|up|down)\b/,
    'continues, is sent, is removed',
  ],
  [/\bgives? up\b|\bgave up\b/, 'times out, stops, aborts'],
  [/\bmakes? (?:of|up)\b|\bmade (?:of|up)\b/, 'name what is created'],
  [
    /\bfor good\b|\bat once\b(?! only\b)|\bon its way\b|\bwithout a word\b/,
    'permanently; immediately; silently',
  ],
  [/\bfor (?:whom|which)\b|\bfrom (?:whom|which)\b|\bof (?:whom|which)\b/, 'two sentences'],
  [
    /\bis (?:one|those|that) (?:who|which|that)\b|\b(?:one|those) (?:who|which|that|whose)\b/,
    'name the thing',
  ],
  // A clause in place of a noun: "what createX makes of your key", "what the service lists".
  [
    /\b[Ww]hat (?:[a-z]+(?: [a-z]+)? )?(?:makes?|lists?|takes?|gives?|shows?|holds?|needs?|does|has|is|was|are|were|follows|happens|happened|belongs|remains|can|may|must|cannot|would|could|did|became|becomes|gets?|sends?|sent|reads?|writes?|wrote|keeps?|kept|makes|made|uses?|used|wants?|runs?|ran|fails?|failed|passed|passes|works?|costs?|comes|came|goes|went|one|they|it|this|you)\b(?![^.!?]*\?)/,
    'a noun',
  ],
  [/\b[Ww]hat (?:create\w+|\w+ \w+s of)\b/, 'a noun'],
];
