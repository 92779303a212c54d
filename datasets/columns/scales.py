"""Steps of scales in words: how often, how much, how good, whether one agrees."""

# Each line is a scale from its low to its high end; words between commas are one step.
_SCALES = """
never; almost never, very rarely; rarely, seldom; sometimes, occasionally; often, frequently; usually; always
none, not at all, no; very mild, slight, a little; mild, somewhat; moderate; severe, quite a bit; very severe, extremely
strongly disagree, completely disagree, totally disagree; disagree; rather disagree, somewhat disagree\
, slightly disagree; neutral, undecided, neither agree nor disagree; rather agree, somewhat agree, slightly agree\
; agree; strongly agree, completely agree, totally agree
very low; low; medium, middle, moderate, mid, average; high; very high
tiny, very small, xs; small, s; medium, m; large, big, l; huge, very large, xl
terrible, very poor, very bad; poor, bad; fair, average, ok, okay; good; very good; excellent
very dissatisfied; dissatisfied; neutral; satisfied; very satisfied
very unlikely; unlikely; neutral, neither likely nor unlikely; likely; very likely
very unimportant; unimportant; neutral; important; very important
first; second; third; fourth; fifth
nie; selten; manchmal, gelegentlich; oft, häufig; meistens; immer
gar nicht, überhaupt nicht; wenig, kaum; etwas, teilweise, mäßig; ziemlich, stark; sehr, sehr stark
stimme überhaupt nicht zu, stimme gar nicht zu, trifft überhaupt nicht zu, trifft gar nicht zu; stimme nicht zu\
, trifft nicht zu; stimme eher nicht zu, trifft eher nicht zu; neutral, teils teils, teils/teils, weder noch\
; stimme eher zu, trifft eher zu; stimme zu, trifft zu; stimme voll und ganz zu, stimme voll zu\
, trifft voll und ganz zu, trifft voll zu
sehr schlecht; schlecht; mittelmäßig, befriedigend; gut; sehr gut
niedrig, gering; mittel; hoch
jamais; presque jamais; rarement; parfois; souvent; très souvent; toujours
faible; moyen, moyenne; fort, forte, élevé, élevée
pas du tout d'accord; pas d'accord; plutôt pas d'accord; neutre, ni d'accord ni pas d'accord; plutôt d'accord\
; d'accord; tout à fait d'accord
nunca; casi nunca; rara vez, raramente; a veces, algunas veces; a menudo, frecuentemente; casi siempre; siempre
nada; poco; algo, regular; bastante; mucho
totalmente en desacuerdo, muy en desacuerdo; en desacuerdo; algo en desacuerdo; neutral, indiferente\
, ni de acuerdo ni en desacuerdo; algo de acuerdo; de acuerdo; totalmente de acuerdo, muy de acuerdo
muy malo, muy mala; malo, mala; regular; bueno, buena; muy bueno, muy buena
bajo, baja; medio, media; alto, alta
nunca; quase nunca; raramente; às vezes, as vezes, por vezes; frequentemente; quase sempre, muitas vezes; sempre
discordo totalmente, discordo completamente; discordo; discordo parcialmente; neutro, indiferente\
, não concordo nem discordo, nem concordo nem discordo; concordo parcialmente; concordo\
; concordo totalmente, concordo completamente
péssimo, muito ruim; ruim; regular; bom; ótimo, muito bom
baixo, baixa; médio, média; alto, alta
mai; quasi mai; raramente; qualche volta, a volte, talvolta; spesso; quasi sempre, molto spesso; sempre
per niente, per nulla; poco; abbastanza; molto; moltissimo
per niente d'accordo, completamente in disaccordo, fortemente in disaccordo; in disaccordo; poco d'accordo\
; neutrale, indifferente, né d'accordo né in disaccordo; abbastanza d'accordo; d'accordo; molto d'accordo\
, completamente d'accordo, fortemente d'accordo
basso, bassa; medio, media; alto, alta
никогда; почти никогда; редко; иногда; часто; очень часто, почти всегда; всегда, постоянно
полностью не согласен, совершенно не согласен, полностью не согласна; не согласен, не согласна; скорее не согласен\
, скорее не согласна; нейтрально; скорее согласен, скорее согласна; согласен, согласна; полностью согласен\
, совершенно согласен, полностью согласна
очень плохо; плохо; удовлетворительно, средне, нормально; хорошо; очень хорошо, отлично
низкий, низкая; средний, средняя; высокий, высокая
nooit; zelden; soms; vaak, regelmatig; meestal; altijd
nigdy; rzadko; czasami, czasem; często; zawsze
"""
SCALES = tuple(
    {word.strip(): step for step, words in enumerate(line.split(";")) for word in words.split(",")}
    for line in _SCALES.strip().splitlines()
)
